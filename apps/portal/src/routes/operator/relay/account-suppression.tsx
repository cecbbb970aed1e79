import { Button, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { SILENT, useChange } from '../../../api/change.js';
import { sentenceOf } from '../../../api/problem.js';
import { liftAccountSuppression } from '../../../api/relay.js';
import { Section } from '../../../parts/page.js';

/** Takes an address off the list of the account, which holds for the domains of all partners. */
export function AccountSuppression() {
  const [address, setAddress] = useState('');
  const { mutate, isPending, error } = useChange(liftAccountSuppression, SILENT);
  const lift = () =>
    mutate(address.trim(), {
      onSuccess: () => {
        notifications.show({ message: `${address.trim()} is taken off the list in a moment.` });
        setAddress('');
      },
    });
  return (
    <Section title="Suppression list of the account">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          lift();
        }}
      >
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            The provider sends to no address on this list, for all partners. An address that is not on it stays so.
          </Text>
          <TextInput
            label="Address, as the provider writes it"
            description="Capital letters differ."
            w="100%"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            error={error === null ? null : sentenceOf(error)}
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" variant="default" disabled={address.trim() === ''} loading={isPending}>
            Take off the list
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
