import { Alert, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { InfoIcon } from 'lucide-react';
import { useEffect } from 'react';
import { problemSentence } from '../../api/problem.js';
import type { Reason } from '../../api/session.js';
import type { Session } from '../../api/shapes.js';
import { t } from '../../texts/texts.js';
import { Brand } from '../frame/brand.js';
import { EnterByKey } from './enter-by-key.js';
import { EnterByLink } from './enter-by-link.js';
import { LinkBrand } from './link-brand.js';
import { forgetCode, useLinkCode } from './link-code.js';

interface DoorProps {
  why: Reason | undefined;
  onEntered: (session: Session) => void;
}

/** The door: with a key, or with the code of a link. Says why one is out. */
export function Door({ why, onEntered }: DoorProps) {
  const code = useLinkCode();
  useEffect(() => {
    const before = document.title;
    // A customer comes by a link, and knows its provider alone.
    document.title = code === null ? `${t('door.enter')} · Mailstead` : t('door.enter');
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
          <Title order={1}>{t(code === null ? 'door.withKey' : 'door.withLink')}</Title>
          {why !== undefined && (
            <Alert variant="default" icon={<InfoIcon aria-hidden />} title={t('door.loggedOut')} role="alert">
              <Text size="sm">
                {problemSentence(why)} {explanationOf(why)}
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
function explanationOf({ code }: Reason): string {
  return code === 'invalid_session' ? t('door.sessionEnded') : '';
}
