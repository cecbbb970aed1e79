import { Text } from '@mantine/core';
import { asRead } from './unicode-name.js';

interface NameParts {
  /** A domain or an address, as it is stored. */
  name: string;
}

/**
 * A domain or an address as people read it. The stored name (`xn--…`) always stands beside an international one,
 * because letters of several scripts look alike. Within a link it belongs to the link.
 */
export function NameAsRead({ name }: NameParts) {
  const read = asRead(name);
  if (read === null) return name;
  return (
    <>
      <bdi>{read}</bdi>{' '}
      <Text span size="sm" c="dimmed" fw={400} className="portal-stored-name">
        {name}
      </Text>
    </>
  );
}
