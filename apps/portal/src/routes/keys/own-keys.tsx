import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { OWN_KEYS, ownKeysQuery } from '../../api/api-keys.js';
import { Empty } from '../../parts/states.js';
import { KeyList } from './key-list.js';

/** The keys that this key created. @param begin creates the first one */
export function OwnKeys({ begin }: { begin: ReactNode }) {
  const query = useInfiniteQuery(ownKeysQuery);
  return (
    <>
      <Text size="sm">
        These are the keys that your key created, and those that they created. They end when yours ends. Here you can
        only take rights from a key.
      </Text>
      <KeyList
        query={query}
        ring={OWN_KEYS}
        empty={
          <Empty title="No keys of your own yet" action={begin}>
            Create one for each program or colleague. Each can be limited to some domains, or to reading, and be revoked
            alone.
          </Empty>
        }
      />
    </>
  );
}
