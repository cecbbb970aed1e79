import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { OWN_KEYS, ownKeysQuery } from '../../api/api-keys.js';
import { Empty } from '../../parts/states.js';
import { useView } from '../frame/view.js';
import { KeyList } from './key-list.js';

/** The keys that this key made. */
export function OwnKeys() {
  const query = useInfiniteQuery(ownKeysQuery);
  const { mayChange } = useView();
  return (
    <>
      <Text size="sm">
        These are the keys that your key made, and those that they made. They end when yours ends. A key can only be
        made narrower; what the operator made, the operator changes.
      </Text>
      <KeyList
        query={query}
        ring={mayChange ? OWN_KEYS : null}
        empty={
          <Empty title="No keys of your own yet">
            Make one for each program or colleague. Each can be limited to some domains, or to reading, and be revoked
            alone.
          </Empty>
        }
      />
    </>
  );
}
