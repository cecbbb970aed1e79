import { Alert, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { Session } from '../../api/shapes.js';
import { Brand } from '../frame/brand.js';
import { EnterByKey } from './enter-by-key.js';
import { EnterByLink } from './enter-by-link.js';
import { LinkBrand } from './link-brand.js';
import { forgetCode, useLinkCode } from './link-code.js';

interface DoorProps {
  /** Why one is out, in the API's words. */
  why: string | undefined;
  onEntered: (session: Session) => void;
}

/** The door: with a key, or with the code of a link. Says why one is out. */
export function Door({ why, onEntered }: DoorProps) {
  const code = useLinkCode();
  useEffect(() => {
    const before = document.title;
    // A customer comes by a link, and knows its provider alone.
    document.title = code === null ? 'Enter · Mailstead' : 'Enter';
    return () => {
      document.title = before;
    };
  }, [code === null]);
  const enter = (session: Session) => {
    forgetCode();
    onEntered(session);
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="lg" w={420} maw="100%">
        <Stack>
          {code === null ? <Brand /> : <LinkBrand code={code} />}
          <Title order={1}>{code === null ? 'Enter with your key' : 'Enter with your link'}</Title>
          {why !== undefined && (
            <Alert variant="default" icon={<IconInfoCircle aria-hidden />} title="You are logged out" role="alert">
              <Text size="sm">
                {why} {explanationOf(why)}
              </Text>
            </Alert>
          )}
          {code === null ? (
            <EnterByKey onEntered={enter} />
          ) : (
            <EnterByLink key={code} code={code} onEntered={enter} onDismiss={forgetCode} />
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

/** What the API's reason leaves open. */
function explanationOf(why: string): string {
  return why.startsWith('Session')
    ? 'Its key was revoked or expired, someone ended it, or it was not used for long. Enter again to go on.'
    : '';
}
