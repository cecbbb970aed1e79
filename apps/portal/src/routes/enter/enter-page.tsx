import { Alert, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { begin } from '../../api/session.js';
import type { Session } from '../../api/shapes.js';
import { Brand } from '../frame/brand.js';
import { EnterByKey } from './enter-by-key.js';
import { EnterByLink } from './enter-by-link.js';
import { forgetCode, useLinkCode } from './link-code.js';

const route = getRouteApi('/enter');

/** The door: with a key, or with the code of a link. Says why one is out. */
export function EnterPage() {
  const { why } = route.useSearch();
  const code = useLinkCode();
  const goIn = useGoIn();
  useEffect(() => {
    document.title = 'Enter · Mailstead';
  }, []);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="lg" w={420} maw="100%">
        <Stack>
          <Brand />
          <Title order={1}>{code === null ? 'Enter with your key' : 'You came by a link'}</Title>
          {why !== undefined && (
            <Alert variant="default" icon={<IconInfoCircle aria-hidden />} title="You are logged out" role="alert">
              <Text size="sm">
                {why} {explanationOf(why)}
              </Text>
            </Alert>
          )}
          {code === null ? (
            <EnterByKey onEntered={goIn} />
          ) : (
            <EnterByLink key={code} code={code} onEntered={goIn} onDismiss={forgetCode} />
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

/** Keeps the session and goes to where one was, or to the beginning. */
function useGoIn(): (session: Session) => void {
  const { to } = route.useSearch();
  const router = useRouter();
  return (session) => {
    forgetCode();
    begin(session);
    // Only an address of this page: `//host` would be another one.
    const isOwn = to !== undefined && /^\/(?!\/)/.test(to) && !to.startsWith('/enter');
    void router.navigate({ to: isOwn ? to : '/' });
  };
}
