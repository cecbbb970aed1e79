-- Creates the read-only database users of Postfix and Dovecot, and stores whether they forward to outside addresses; rendered by `npm run mail-stack -- render`.
-- Run it as an administrator after Mailstead's migrations: mariadb {{database}} < grants.sql
{{statements}}
