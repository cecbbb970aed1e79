-- The read-only database users of Postfix and Dovecot; rendered by `npm run mail-stack -- render`.
-- Run it as an administrator after Mailstead made its views: mariadb {{database}} < grants.sql
{{statements}}
