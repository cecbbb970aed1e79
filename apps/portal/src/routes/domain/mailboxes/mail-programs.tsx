import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mailSettingsQuery } from '../../../api/mail-settings.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { SetUpMailServers } from '../../../parts/set-up-mail-servers.js';
import { t } from '../../../texts/texts.js';
import { explainedTextOf, mailProgramSettings } from './mail-program-settings.js';
import { WhyStored } from './why-stored.js';

/** What the user of the mailbox types into a mail program. @param email as it is stored. */
export function MailPrograms({ email }: { email: string }) {
  const query = useQuery(mailSettingsQuery);
  return (
    <Section title={t('handover.forPrograms')}>
      <Queried query={query}>
        {(servers) => {
          const settings = mailProgramSettings(servers, email);
          if (settings.length === 0) return <Text size="sm">{t('handover.noServers')}</Text>;
          return (
            <>
              {servers.example === true && <Text size="sm">{t('handover.exampleServers')}</Text>}
              <Table aria-label={t('handover.settings')}>
                <Table.Tbody>
                  {settings.map(([name, value]) => (
                    <Table.Tr key={name}>
                      <Table.Th scope="row">{name}</Table.Th>
                      <Table.Td>{value}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              <WhyStored email={email} />
              <div>
                <CopyButton value={explainedTextOf(settings, email)} label={t('handover.copySettings')} />
              </div>
            </>
          );
        }}
      </Queried>
      <SetUpMailServers of={['MAIL_IMAP', 'MAIL_POP3', 'MAIL_SUBMISSION']} />
    </Section>
  );
}
