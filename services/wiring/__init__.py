"""The one place that puts the parts together: settings, store, service, faces."""
