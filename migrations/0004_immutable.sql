-- What is written stays, for the owner too. Statement level, or a DELETE of no rows would pass; ALWAYS, or session_replication_role
-- would switch it off.

SET LOCAL ROLE paipu_owner;

CREATE FUNCTION paipu.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on %.% is refused: the log is append-only', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['game', 'batch', 'event', 'annotation', 'annotation_removal', 'match', 'match_game', 'feed'] LOOP
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON paipu.%I '
                       'FOR EACH STATEMENT EXECUTE FUNCTION paipu.refuse()', name);
        EXECUTE format('ALTER TABLE paipu.%I ENABLE ALWAYS TRIGGER append_only', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['game_head', 'feed_head'] LOOP
        EXECUTE format('CREATE TRIGGER never_removed BEFORE DELETE OR TRUNCATE ON paipu.%I '
                       'FOR EACH STATEMENT EXECUTE FUNCTION paipu.refuse()', name);
        EXECUTE format('ALTER TABLE paipu.%I ENABLE ALWAYS TRIGGER never_removed', name);
    END LOOP;
END
$$;
