-- 0001
CREATE TABLE alembic_version ( version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num) );
CREATE TABLE person_keys ( id INTEGER NOT NULL, person VARCHAR, key_id VARCHAR NOT NULL, wrapped BLOB, made_at DATETIME NOT NULL, destroyed_at DATETIME, PRIMARY KEY (id), UNIQUE (person) );
CREATE TABLE inbox ( id INTEGER NOT NULL, "key" VARCHAR NOT NULL, conversation VARCHAR NOT NULL, status VARCHAR NOT NULL, attempts INTEGER NOT NULL, received_at DATETIME NOT NULL, due_at DATETIME NOT NULL, ended_at DATETIME, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (id), UNIQUE ("key"), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE INDEX inbox_open ON inbox (conversation, id) WHERE ended_at IS NULL;
CREATE INDEX inbox_dead ON inbox (id) WHERE status = 'dead';
CREATE TABLE leases ( lane VARCHAR NOT NULL, token BIGINT NOT NULL, until DATETIME, PRIMARY KEY (lane) );
CREATE TABLE drafts ( id INTEGER NOT NULL, name VARCHAR NOT NULL, conversation VARCHAR NOT NULL, form VARCHAR NOT NULL, status VARCHAR NOT NULL, revision INTEGER NOT NULL, last INTEGER NOT NULL, head VARCHAR NOT NULL, updated_at DATETIME NOT NULL, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (id), UNIQUE (name), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE INDEX drafts_of_person ON drafts (sealed_by, id);
CREATE TABLE conversations ( conversation VARCHAR NOT NULL, draft VARCHAR NOT NULL, PRIMARY KEY (conversation), FOREIGN KEY(draft) REFERENCES drafts (name) );
CREATE TABLE events ( draft VARCHAR NOT NULL, n INTEGER NOT NULL, kind VARCHAR NOT NULL, revision INTEGER NOT NULL, form_version VARCHAR NOT NULL, rules_version VARCHAR NOT NULL, at DATETIME NOT NULL, previous VARCHAR NOT NULL, hash VARCHAR NOT NULL, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (draft, n), FOREIGN KEY(draft) REFERENCES drafts (name), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE TABLE outbox ( id INTEGER NOT NULL, "key" VARCHAR NOT NULL, lane VARCHAR NOT NULL, kind VARCHAR NOT NULL, status VARCHAR NOT NULL, attempts INTEGER NOT NULL, due_at DATETIME NOT NULL, ended_at DATETIME, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (id), UNIQUE ("key"), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE INDEX outbox_open ON outbox (lane, id) WHERE ended_at IS NULL;
CREATE INDEX outbox_dead ON outbox (id) WHERE status = 'dead';
CREATE TABLE posts ( card VARCHAR NOT NULL, channel VARCHAR NOT NULL, ts VARCHAR NOT NULL, PRIMARY KEY (card) );
CREATE TABLE records ( id INTEGER NOT NULL, number VARCHAR NOT NULL, draft VARCHAR NOT NULL, form VARCHAR NOT NULL, tenant VARCHAR NOT NULL, state VARCHAR NOT NULL, hash VARCHAR NOT NULL, filed_at DATETIME NOT NULL, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (id), UNIQUE (number), UNIQUE (draft), FOREIGN KEY(draft) REFERENCES drafts (name), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE INDEX records_of_person ON records (sealed_by, id);
CREATE INDEX records_of_form ON records (form, number);
CREATE TABLE series ( prefix VARCHAR NOT NULL, last BIGINT NOT NULL, PRIMARY KEY (prefix) );
CREATE TABLE spending ( day VARCHAR NOT NULL, tokens BIGINT NOT NULL, PRIMARY KEY (day) );
INSERT INTO alembic_version (version_num) VALUES ('0001') RETURNING version_num;
-- 0002_operations
CREATE TABLE proposals ( id INTEGER NOT NULL, name VARCHAR NOT NULL, tenant VARCHAR NOT NULL, form VARCHAR NOT NULL, status VARCHAR NOT NULL, made_at DATETIME NOT NULL, expires_at DATETIME NOT NULL, ended_at DATETIME, outcome BLOB, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (id), UNIQUE (name), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE INDEX proposals_of_person ON proposals (sealed_by, id);
CREATE TABLE entries ( id INTEGER NOT NULL, tenant VARCHAR NOT NULL, form VARCHAR NOT NULL, number INTEGER NOT NULL, revision INTEGER NOT NULL, deleted BOOLEAN NOT NULL, made_at DATETIME NOT NULL, changed_at DATETIME NOT NULL, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (id), CONSTRAINT entries_number UNIQUE (tenant, form, number), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE INDEX entries_of_person ON entries (sealed_by, id);
UPDATE alembic_version SET version_num='0002_operations' WHERE alembic_version.version_num = '0001';
-- 0003_tool_calls
CREATE TABLE tool_calls ( draft VARCHAR NOT NULL, n INTEGER NOT NULL, place INTEGER NOT NULL, at DATETIME NOT NULL, tenant VARCHAR NOT NULL, form VARCHAR NOT NULL, turn INTEGER NOT NULL, step INTEGER NOT NULL, reader VARCHAR NOT NULL, tool VARCHAR NOT NULL, status VARCHAR NOT NULL, reason VARCHAR NOT NULL, idempotent BOOLEAN NOT NULL, finalizes BOOLEAN NOT NULL, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (draft, n, place), FOREIGN KEY(draft, n) REFERENCES events (draft, n), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE INDEX tool_calls_since ON tool_calls (at);
UPDATE alembic_version SET version_num='0003_tool_calls' WHERE alembic_version.version_num = '0002_operations';
-- 0004_documents
CREATE TABLE documents ( id INTEGER NOT NULL, name VARCHAR NOT NULL, draft VARCHAR NOT NULL, tenant VARCHAR NOT NULL, type VARCHAR NOT NULL, size INTEGER NOT NULL, received_at DATETIME NOT NULL, keep_until DATETIME NOT NULL, sealed_by INTEGER NOT NULL, sealed BLOB NOT NULL, content BLOB NOT NULL, PRIMARY KEY (id), UNIQUE (name), FOREIGN KEY(draft) REFERENCES drafts (name), FOREIGN KEY(sealed_by) REFERENCES person_keys (id) );
CREATE INDEX documents_of_person ON documents (sealed_by, id);
CREATE INDEX documents_until ON documents (keep_until);
UPDATE alembic_version SET version_num='0004_documents' WHERE alembic_version.version_num = '0003_tool_calls';
-- 0005_rights
CREATE TABLE tombstones ( id INTEGER NOT NULL, at DATETIME NOT NULL, told JSON NOT NULL, PRIMARY KEY (id) );
ALTER TABLE person_keys ADD COLUMN destroy_at DATETIME;
ALTER TABLE events ADD COLUMN digest VARCHAR;
ALTER TABLE records ADD COLUMN kept_for VARCHAR;
CREATE INDEX records_kept ON records (kept_for);
UPDATE alembic_version SET version_num='0005_rights' WHERE alembic_version.version_num = '0004_documents';
-- 0006_shown
ALTER TABLE posts ADD COLUMN shown VARCHAR;
ALTER TABLE posts ADD COLUMN gone BOOLEAN;
UPDATE alembic_version SET version_num='0006_shown' WHERE alembic_version.version_num = '0005_rights';
-- 0007_evidence
ALTER TABLE drafts ADD COLUMN mac VARCHAR;
ALTER TABLE drafts ADD COLUMN signed INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE events ADD COLUMN beside VARCHAR DEFAULT '' NOT NULL;
ALTER TABLE events ADD COLUMN mac VARCHAR;
ALTER TABLE tool_calls ADD COLUMN digest VARCHAR;
ALTER TABLE records ADD COLUMN version INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE records ADD COLUMN digest VARCHAR;
CREATE INDEX drafts_due ON drafts (name) WHERE signed < last;
CREATE TABLE custody ( chain VARCHAR NOT NULL, n INTEGER NOT NULL, kind VARCHAR NOT NULL, body VARCHAR NOT NULL, at DATETIME NOT NULL, previous VARCHAR NOT NULL, hash VARCHAR NOT NULL, mac VARCHAR NOT NULL, due BOOLEAN, PRIMARY KEY (chain, n) );
CREATE INDEX custody_due ON custody (chain, n) WHERE due IS NOT NULL;
CREATE TABLE checkpoints ( n INTEGER NOT NULL, text VARCHAR NOT NULL, hash VARCHAR NOT NULL, signature VARCHAR NOT NULL, PRIMARY KEY (n) );
CREATE TABLE evidence_keys ( id VARCHAR NOT NULL, wrapped VARCHAR NOT NULL, wrapped_by VARCHAR NOT NULL, PRIMARY KEY (id) );
UPDATE alembic_version SET version_num='0007_evidence' WHERE alembic_version.version_num = '0006_shown';
-- 0008_delivery
ALTER TABLE inbox ADD COLUMN reason VARCHAR;
ALTER TABLE outbox ADD COLUMN reason VARCHAR;
ALTER TABLE outbox ADD COLUMN sent INTEGER;
ALTER TABLE outbox ADD COLUMN pool VARCHAR;
ALTER TABLE outbox ADD COLUMN wanted_at DATETIME;
CREATE INDEX outbox_blocked ON outbox (id) WHERE status = 'blocked';
CREATE TABLE reaches ( team VARCHAR NOT NULL, ok_at DATETIME, since DATETIME, reason VARCHAR, PRIMARY KEY (team) );
UPDATE alembic_version SET version_num='0008_delivery' WHERE alembic_version.version_num = '0007_evidence';
-- 0009_installations
CREATE TABLE installations ( id INTEGER NOT NULL, workspace VARCHAR NOT NULL, installed_at DATETIME NOT NULL, "key" INTEGER NOT NULL, granted BLOB NOT NULL, PRIMARY KEY (id), UNIQUE (workspace), FOREIGN KEY("key") REFERENCES person_keys (id) );
CREATE TABLE oauth_states ( state VARCHAR NOT NULL, until DATETIME NOT NULL, PRIMARY KEY (state) );
UPDATE alembic_version SET version_num='0009_installations' WHERE alembic_version.version_num = '0008_delivery';
-- 0010_policy
CREATE TABLE list_versions ( tenant VARCHAR NOT NULL, form VARCHAR NOT NULL, list VARCHAR NOT NULL, number INTEGER NOT NULL, effective DATETIME NOT NULL, uploaded_at DATETIME NOT NULL, "key" INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (tenant, form, list, number), FOREIGN KEY("key") REFERENCES person_keys (id) );
CREATE TABLE list_uploads ( name VARCHAR NOT NULL, until DATETIME NOT NULL, "key" INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (name), FOREIGN KEY("key") REFERENCES person_keys (id) );
UPDATE alembic_version SET version_num='0010_policy' WHERE alembic_version.version_num = '0009_installations';
-- 0011_queue
CREATE TABLE record_index ( number VARCHAR NOT NULL, draft VARCHAR NOT NULL, tenant VARCHAR NOT NULL, form VARCHAR NOT NULL, state VARCHAR NOT NULL, post VARCHAR NOT NULL, owner VARCHAR NOT NULL, filed_at DATETIME NOT NULL, due_at DATETIME NOT NULL, decided_at DATETIME, verdict VARCHAR NOT NULL, took INTEGER, breached_at DATETIME, breaches INTEGER NOT NULL, shape VARCHAR NOT NULL, PRIMARY KEY (number) );
CREATE TABLE record_words ( token VARCHAR NOT NULL, number VARCHAR NOT NULL, PRIMARY KEY (token, number) );
CREATE INDEX record_index_waiting ON record_index (tenant, form, post, due_at, number, owner);
CREATE INDEX record_index_filed ON record_index (tenant, form, filed_at);
CREATE INDEX record_index_decided ON record_index (tenant, form, decided_at);
CREATE INDEX record_index_owner ON record_index (owner, filed_at);
CREATE INDEX record_words_of ON record_words (number);
UPDATE alembic_version SET version_num='0011_queue' WHERE alembic_version.version_num = '0010_policy';
-- 0012_proof
ALTER TABLE outbox ADD COLUMN draft VARCHAR;
CREATE INDEX outbox_of_draft ON outbox (draft, id) WHERE draft IS NOT NULL;
CREATE TABLE holds ( id INTEGER NOT NULL, scope VARCHAR NOT NULL, name VARCHAR NOT NULL, at DATETIME NOT NULL, lifted_at DATETIME, "key" INTEGER NOT NULL, told BLOB NOT NULL, PRIMARY KEY (id), FOREIGN KEY("key") REFERENCES person_keys (id) );
CREATE UNIQUE INDEX holds_open ON holds (scope, name) WHERE lifted_at IS NULL;
UPDATE alembic_version SET version_num='0012_proof' WHERE alembic_version.version_num = '0011_queue';
-- 0013_holders
ALTER TABLE leases ADD COLUMN holder BIGINT;
UPDATE alembic_version SET version_num='0013_holders' WHERE alembic_version.version_num = '0012_proof';
-- 0014_unplaced
CREATE INDEX inbox_of_conversation ON inbox (conversation, id);
UPDATE alembic_version SET version_num='0014_unplaced' WHERE alembic_version.version_num = '0013_holders';
