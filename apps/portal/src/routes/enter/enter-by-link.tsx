import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameOf } from '../../api/caller.js';
import { sentenceOf } from '../../api/problem.js';
import { codePreviewQuery, enterWithCode, sessionQuery } from '../../api/session.js';
import type { CodePreview, Session } from '../../api/shapes.js';
import { BrandHelp, NoPassword } from '../../parts/brand-help.js';
import { Loading } from '../../parts/states.js';
import { Time } from '../../parts/time.js';

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
  if (session.isPending || preview.isPending) return <Loading what="Looking at the link" />;
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
        <Alert variant="default" title={`You are logged in as ${nameOf(present.caller)}`}>
          <Text size="sm">If you enter with the link, that session ends in this browser.</Text>
        </Alert>
      )}
      {refused !== null && (
        <Alert variant="default" title="This link cannot be used" role="alert">
          <Text size="sm">
            {sentenceOf(refused)} A link ends when it was used, expired or deleted. Ask for a new one.
          </Text>
        </Alert>
      )}
      <Stack gap="xs">
        {refused === null && (
          <Button onClick={() => void enter()} loading={isRunning}>
            {present === undefined ? 'Enter' : 'End that session and enter'}
          </Button>
        )}
        <Button variant="default" onClick={present === undefined ? onDismiss : () => onEntered(present)}>
          {present === undefined ? 'Use a key instead' : 'Keep this session'}
        </Button>
      </Stack>
    </Stack>
  );
}

function Who({ preview: { link, domain, brand, expires_at } }: { preview: CodePreview }) {
  return (
    <>
      <Text size="sm">
        {whoOf(link, domain)} The link is valid until <Time at={expires_at} />.
      </Text>
      {link === 'dns' && <NoPassword />}
      {brand !== null && <BrandHelp brand={brand} />}
    </>
  );
}

function whoOf(link: string | null, domain: string | null): string {
  if (link === 'dns') return `You will see the DNS records of ${domain}, and nothing else.`;
  if (link === 'manage') return `You will manage ${domain}: its mailboxes, aliases and sending.`;
  return 'You will be the operator of this service, who can see and change everything.';
}
