import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../api/problem.js';
import { enterWithToken } from '../../api/session.js';
import type { Session } from '../../api/shapes.js';

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
          label="Key"
          description="An API key, or an operator's token. It is not kept in this browser."
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={refusal}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key' }}
        />
        <Button type="submit" loading={isRunning} disabled={token.trim() === ''}>
          Enter
        </Button>
        <Text size="sm" c="dimmed">
          No key yet? Ask the operator of this service for one. Programs use{' '}
          <Anchor href="/docs" underline="always" inherit>
            the API
          </Anchor>
          .
        </Text>
      </Stack>
    </form>
  );
}
