import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PrinterIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { mailSettingsQuery } from '../../../api/mail-settings.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { LinkButton } from '../../../parts/links.js';
import { useShownOnce } from '../../../parts/once-dialog.js';
import { QrCode } from '../../../parts/qr-code.js';
import { Queried } from '../../../parts/queried.js';
import { namedInText } from '../../../parts/unicode-name.js';
import { t } from '../../../texts/texts.js';
import { explainedTextOf, mailProgramSettings, type Setting, textOf } from './mail-program-settings.js';
import { WhyStored } from './why-stored.js';

interface NewMailbox {
  domain: string;
  email: string;
  /** In memory alone: it is gone with the card, because only its hash is stored. Empty after the session has ended. */
  password: string;
}

/**
 * What the user of a new mailbox needs, to hand over. The QR code has the same without the password. The buttons are
 * above what may be long, so that nobody looks for them.
 */
export function NewMailboxCard({ domain, email, password }: NewMailbox) {
  const query = useQuery(mailSettingsQuery);
  const settings = query.data === undefined ? [] : mailProgramSettings(query.data, email);
  const access: Setting[] = [
    [t('mailbox.address'), email],
    [t('mailbox.password'), password === '' ? t('handover.noLongerShown') : password],
  ];
  const noteCopied = useShownOnce(password !== '');
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack className="portal-handover" onCopy={noteCopied}>
      <Title order={3} ref={heading} tabIndex={-1}>
        {t('handover.ready', { email: namedInText(email) })}
      </Title>
      <Text size="sm" className="portal-not-printed">
        {t('handover.handNow')}
      </Text>
      <Settings settings={access} />
      <Group gap="xs" className="portal-not-printed">
        <CopyButton
          value={settings.length === 0 ? textOf(access) : explainedTextOf([...access, ...settings], email)}
          label={t('handover.copyAll')}
          onCopy={noteCopied}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<PrinterIcon size={16} aria-hidden />}
          onClick={() => window.print()}
        >
          {t('handover.print')}
        </Button>
        <LinkButton size="xs" to="/domains/$domain/mailboxes/$email" params={{ domain, email }}>
          {t('handover.toMailbox')}
        </LinkButton>
      </Group>
      <Queried query={query}>
        {() =>
          settings.length === 0 ? (
            <Text size="sm">{t('handover.noServers')}</Text>
          ) : (
            <>
              {query.data?.example === true && <Text size="sm">{t('handover.exampleServers')}</Text>}
              <Settings settings={settings} />
              <WhyStored email={email} />
              <Stack gap={4} align="center">
                <QrCode text={textOf(settings)} alt={t('handover.qrCode', { email })} />
                <Text size="sm">{t('handover.qrCodeWhat')}</Text>
              </Stack>
            </>
          )
        }
      </Queried>
    </Stack>
  );
}

function Settings({ settings }: { settings: Setting[] }) {
  return (
    <dl className="portal-record">
      {settings.map(([name, value]) => (
        <div key={name} className="portal-setting">
          <dt>{name}</dt>
          <dd className={name === t('mailbox.password') ? 'portal-value portal-letters' : 'portal-value'}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
