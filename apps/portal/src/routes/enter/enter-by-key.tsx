import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../api/problem.js';
import { enterWithToken } from '../../api/session.js';
import type { Session } from '../../api/shapes.js';
import { rich, t } from '../../texts/texts.js';

/** The key is sent once and kept nowhere: the browser then has the cookie of a session. */
export function EnterByKey({ onEntered }: { onEntered: (session: Session) => void }) {
  const [token, setToken] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const enter = async () => {
    setRunning(true);
    setRefusal(null);
    try {
      onEntered(await enterWithToken(token.trim()));
    } catch (error) {
      setRefusal(sentenceOf(error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      <Stack>
        <PasswordInput
          label={t('door.key')}
          description={t('door.keyWhat')}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={refusal}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('door.showKey') }}
        />
        <Button type="submit" loading={isRunning} disabled={token.trim() === ''}>
          {t('door.enter')}
        </Button>
        <Text size="sm" c="dimmed">
          {rich('door.noKey', {
            api: (words) => (
              <Anchor href="/docs" underline="always" inherit>
                {words}
              </Anchor>
            ),
          })}
        </Text>
      </Stack>
    </form>
  );
}
