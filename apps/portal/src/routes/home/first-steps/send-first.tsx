import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mailSettingsQuery } from '../../../api/mail-settings.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { Queried } from '../../../parts/queried.js';
import { t } from '../../../texts/texts.js';
import { nameOfSecurity, type Setting } from '../../domain/mailboxes/mail-program-settings.js';
import { WhyStored } from '../../domain/mailboxes/why-stored.js';

/** What a mail program needs to send with the mailbox. @param email as it is stored. */
export function SendFirst({ email }: { email: string }) {
  const query = useQuery(mailSettingsQuery);
  return (
    <>
      <Text size="sm">
        Send a message to an address elsewhere, with a mail program and these settings. This page ticks the step by
        itself when the message was counted.
      </Text>
      <Queried query={query}>
        {({ submission, example }) => {
          if (submission === null) return <Text size="sm">{t('handover.noServers')}</Text>;
          const settings: Setting[] = [
            ['Server', submission.host],
            ['Port', String(submission.port)],
            ['Security', nameOfSecurity(submission.security)],
            [t('handover.userName'), email],
          ];
          return (
            <>
              {example === true && <Text size="sm">{t('handover.exampleServers')}</Text>}
              <dl className="portal-record">
                {settings.map(([name, value]) => (
                  <div key={name} className="portal-setting">
                    <dt>{name}</dt>
                    <dd className="portal-value">
                      {value} <CopyButton value={value} what={name} />
                    </dd>
                  </div>
                ))}
              </dl>
              <WhyStored email={email} />
            </>
          );
        }}
      </Queried>
    </>
  );
}
