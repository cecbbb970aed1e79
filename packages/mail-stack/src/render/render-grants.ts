import type { DatabaseLogin, MailStackSettings } from '../settings/mail-stack-settings.js';

/** The views that each mail server may read. Only Dovecot may read password hashes. */
export const VIEWS = {
  postfix: [
    'mta_domains',
    'mta_domain_state',
    'mta_mailboxes',
    'mta_aliases',
    'mta_alias_names',
    'mta_sender_logins',
    'mta_relay',
    'mta_forwarding',
  ],
  dovecot: ['mda_users'],
} as const;

/**
 * Returns SQL statements that create the read-only users, or reset the rights and passwords of existing ones. They also
 * store whether these mail servers forward to outside addresses, for the API and the views.
 */
export function renderGrants({ database, forwarding }: MailStackSettings): string {
  const grant = (login: DatabaseLogin, views: readonly string[]): string[] =>
    database.clients.flatMap((client) => {
      const user = `'${login.user}'@'${client}'`;
      return [
        '',
        `CREATE USER IF NOT EXISTS ${user};`,
        `ALTER USER ${user} IDENTIFIED BY '${login.password}';`,
        `REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${user};`,
        ...views.map((view) => `GRANT SELECT ON \`${database.name}\`.\`${view}\` TO ${user};`),
      ];
    });
  return [
    ...grant(database.postfix, VIEWS.postfix),
    ...grant(database.dovecot, VIEWS.dovecot),
    '',
    `INSERT INTO \`${database.name}\`.installation (name, value) VALUES ('forwarding', '${forwarding === null ? 'off' : 'on'}')`,
    '  ON DUPLICATE KEY UPDATE value = VALUES(value);',
  ]
    .join('\n')
    .trim();
}
