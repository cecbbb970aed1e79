import type { MailStackSettings } from '../settings/mail-stack-settings.js';

/** A view or table that a mail server may read. */
export interface Readable {
  name: string;
  /** The columns that it may read; without them, all. */
  columns?: readonly string[];
}

const all = (...names: string[]): Readable[] => names.map((name) => ({ name }));

/** What each mail server may read. Only Dovecot may read password hashes. */
export const READABLE: Readonly<Record<'postfix' | 'dovecot', readonly Readable[]>> = {
  postfix: [
    ...all('mta_domains', 'mta_domain_state', 'mta_mailboxes', 'mta_aliases', 'mta_alias_names', 'mta_sender_logins'),
    ...all('mta_relay', 'mta_refused_senders', 'mta_forwarding'),
    // The tables of the questions about each message (decision 0040).
    ...all('mta_domain', 'mta_relay_host'),
    { name: 'mailbox', columns: ['email', 'domain_id', 'active'] },
    { name: 'alias', columns: ['address'] },
  ],
  dovecot: all('mda_users'),
};

/**
 * Returns SQL statements that create the read-only users, or reset the rights and passwords of existing ones. They also
 * store whether these mail servers forward to outside addresses, for the API and the views.
 */
export function renderGrants({ database, forwarding }: MailStackSettings): string {
  const grant = (reader: keyof typeof READABLE): string[] =>
    database.clients.flatMap((client) => {
      const user = `'${database[reader].user}'@'${client}'`;
      return [
        '',
        `CREATE USER IF NOT EXISTS ${user};`,
        `ALTER USER ${user} IDENTIFIED BY '${database[reader].password}';`,
        `REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${user};`,
        ...READABLE[reader].map(({ name, columns }) => {
          const right = columns === undefined ? 'SELECT' : `SELECT (${columns.join(', ')})`;
          return `GRANT ${right} ON \`${database.name}\`.\`${name}\` TO ${user};`;
        }),
      ];
    });
  return [
    ...grant('postfix'),
    ...grant('dovecot'),
    '',
    `INSERT INTO \`${database.name}\`.installation (name, value) VALUES ('forwarding', '${forwarding === null ? 'off' : 'on'}')`,
    '  ON DUPLICATE KEY UPDATE value = VALUES(value);',
  ]
    .join('\n')
    .trim();
}
