import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameOf } from '../../api/caller.js';
import { brandOf, sentenceOf } from '../../api/problem.js';
import { codePreviewQuery, enterWithCode, sessionQuery } from '../../api/session.js';
import type { CodePreview, Session } from '../../api/shapes.js';
import { BrandHelp, NoPassword } from '../../parts/brand-help.js';
import { Loading } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { rich, t } from '../../texts/texts.js';

interface Arrival {
  code: string;
  onEntered: (session: Session) => void;
  onDismiss: () => void;
}

/**
 * Says who one will be. The link is used on a click, never by itself, and never over a living session without asking.
 */
export function EnterByLink({ code, onEntered, onDismiss }: Arrival) {
  const session = useQuery({ ...sessionQuery, retry: false });
  const preview = useQuery(codePreviewQuery(code));
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  if (session.isPending || preview.isPending) return <Loading what={t('door.looking')} />;
  const { data: present } = session;
  const refused = refusal ?? preview.error;
  const enter = async () => {
    setRunning(true);
    try {
      onEntered(await enterWithCode(code));
    } catch (error) {
      setRefusal(error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Stack>
      {preview.data !== undefined && <Who preview={preview.data} />}
      {present !== undefined && (
        <Alert variant="default" title={t('door.loggedInAs', { name: nameOf(present.caller) })}>
          <Text size="sm">{t('door.sessionEnds')}</Text>
        </Alert>
      )}
      {refused !== null && <Unusable refusal={refused} />}
      <Stack gap="xs">
        {refused === null && (
          <Button onClick={() => void enter()} loading={isRunning}>
            {t(present === undefined ? 'door.enter' : 'door.endAndEnter')}
          </Button>
        )}
        <Button variant="default" onClick={present === undefined ? onDismiss : () => onEntered(present)}>
          {t(present === undefined ? 'door.useKey' : 'door.keepSession')}
        </Button>
      </Stack>
    </Stack>
  );
}

/** A link that was right once says whose customers it was for. */
function Unusable({ refusal }: { refusal: unknown }) {
  const brand = brandOf(refusal);
  const name = brand?.name ?? null;
  return (
    <Alert variant="default" title={t('door.unusable')} role="alert">
      <Stack gap="xs">
        <Text size="sm">
          {sentenceOf(refusal)} {name === null ? t('door.unusableWhy') : t('door.unusableAsk', { name })}
        </Text>
        {brand !== null && <BrandHelp brand={brand} />}
      </Stack>
    </Alert>
  );
}

function Who({ preview: { link, domain, brand, expires_at } }: { preview: CodePreview }) {
  return (
    <>
      <Text size="sm">
        {whoOf(link, domain ?? '')} {rich('door.validUntil', { time: () => <Time at={expires_at} /> })}
      </Text>
      {link === 'dns' && <NoPassword />}
      {brand !== null && <BrandHelp brand={brand} />}
    </>
  );
}

function whoOf(link: string | null, domain: string): string {
  if (link === 'dns') return t('door.seesDns', { domain });
  if (link === 'manage') return t('door.manages', { domain });
  return t('door.operates');
}
