#!/bin/sh
# Passwords of the roles that log in, from RECOUP_<ROLE>_PASSWORD; the postgres image runs it once, after roles.sql.
# Run again by hand it changes them:  RECOUP_INGEST_PASSWORD=… sh deploy/postgres/passwords.sh
# A role whose variable is not set keeps what it has.
set -eu

for role in admin ingest publish backup; do
  name="RECOUP_$(echo "$role" | tr '[:lower:]' '[:upper:]')_PASSWORD"
  password="$(printenv "$name" || true)"
  [ -n "$password" ] || continue
  # Through the environment and not as an argument, which others could see in the list of processes.
  PASSWORD="$password" psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set role="recoup_$role" --dbname postgres <<'SQL'
\getenv password PASSWORD
ALTER ROLE :"role" PASSWORD :'password';
SQL
done
