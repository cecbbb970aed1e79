-- The read-only database users of Postfix and Dovecot, and whether they forward to the outside; rendered by `npm run mail-stack -- render`.
-- Run it as an administrator after Mailstead made its views: mariadb {{database}} < grants.sql
{{statements}}
