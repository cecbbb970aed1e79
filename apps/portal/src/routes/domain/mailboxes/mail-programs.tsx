import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mailSettingsQuery } from '../../../api/mailboxes.js';
import type { MailSettings } from '../../../api/shapes.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';

const SECURITY: Record<string, string> = { tls: 'SSL/TLS', starttls: 'STARTTLS' };

/** What the user of the mailbox types into a mail program. */
export function MailPrograms({ email }: { email: string }) {
  const query = useQuery(mailSettingsQuery);
  return (
    <Section title="For mail programs">
      <Queried query={query}>
        {(settings) => {
          const rows = rowsOf(settings, email);
          if (rows.length === 0) return <Text size="sm">The operator has not named the mail servers here.</Text>;
          const text = rows.map(([name, value]) => `${name}: ${value}`).join('\n');
          return (
            <>
              <Table aria-label="Settings for mail programs">
                <Table.Tbody>
                  {rows.map(([name, value]) => (
                    <Table.Tr key={name}>
                      <Table.Th scope="row">{name}</Table.Th>
                      <Table.Td>{value}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              <div>
                <CopyButton value={text} what="the settings" label="Copy for its user" />
              </div>
            </>
          );
        }}
      </Queried>
    </Section>
  );
}

function rowsOf({ imap, pop3, submission }: MailSettings, email: string): [string, string][] {
  const servers = [
    ['Incoming mail (IMAP)', imap],
    ['Incoming mail (POP3)', pop3],
    ['Outgoing mail (SMTP)', submission],
  ] as const;
  const rows = servers.flatMap(([name, server]): [string, string][] =>
    server === null ? [] : [[name, `${server.host}, port ${server.port}, ${SECURITY[server.security]}`]],
  );
  return rows.length === 0 ? [] : [...rows, ['User name', email]];
}
