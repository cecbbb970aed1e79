import { Text } from '@mantine/core';
import { whyStored } from './mail-program-settings.js';

/** Says why the user name of a mailbox with an international domain begins with `xn--` behind the @. */
export function WhyStored({ email }: { email: string }) {
  const reason = whyStored(email);
  return reason === null ? null : <Text size="sm">{reason}</Text>;
}
