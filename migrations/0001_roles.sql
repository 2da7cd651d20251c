-- The owner of the log logs in nowhere; the service's role may add to the log and never change it.
-- Roles belong to the whole server: another database on it may have made them already, even at this moment.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'paipu_owner') THEN
        CREATE ROLE paipu_owner NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END
$$;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'paipu_service') THEN
        CREATE ROLE paipu_service LOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END
$$;

-- A superuser needs no membership; anybody else grants it to himself, as the creator of the roles.
DO $$
BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        EXECUTE format('GRANT paipu_owner, paipu_service TO %I', current_user);
    END IF;
END
$$;

CREATE SCHEMA paipu AUTHORIZATION paipu_owner;

GRANT USAGE ON SCHEMA paipu TO paipu_service;
