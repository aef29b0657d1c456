-- Roles and the database of a log on PostgreSQL 17 or later. Once a server, as a superuser, with psql:
--
--     psql --file deploy/postgres/roles.sql
--
-- Run again it changes nothing that is there. Then, as recoup_admin: `recoup store init` makes schemas, tables and
-- rights; as recoup_ingest: `recoup store check` tries them.
--
-- Nobody logs in as owner, writer or reader. Each daemon and each person gets a role of their own that is a member of
-- one of them: the log says who acted by that name. Passwords are not set here: `\password recoup_ingest`, a
-- certificate, or peer authentication.

SELECT format('CREATE ROLE %I NOLOGIN', name) FROM (VALUES
  ('recoup_owner'),   -- has the tables: for `recoup store init`, and for no daemon
  ('recoup_writer'),  -- adds evidence and updates bookkeeping: ingest, publisher, people who correct and rule
  ('recoup_reader')   -- reads: views, reports, `recoup store backup`
) AS kinds (name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec

SELECT format('CREATE ROLE %I LOGIN IN ROLE %I', name, kind) FROM (VALUES
  ('recoup_admin', 'recoup_owner'),
  ('recoup_ingest', 'recoup_writer'),
  ('recoup_publish', 'recoup_writer'),
  ('recoup_backup', 'recoup_reader')
) AS logins (name, kind)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec

SELECT 'CREATE DATABASE recoup OWNER recoup_owner ENCODING ''UTF8'' TEMPLATE template0'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'recoup') \gexec

-- Whoever is in none of the three has no business in this database.
REVOKE ALL ON DATABASE recoup FROM PUBLIC;
GRANT CONNECT ON DATABASE recoup TO recoup_writer, recoup_reader;
