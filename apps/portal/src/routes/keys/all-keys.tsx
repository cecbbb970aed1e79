import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ALL_KEYS, keysQuery } from '../../api/api-keys.js';
import { ListSearch } from '../../parts/list-search.js';
import { Empty } from '../../parts/states.js';
import { KeyList } from './key-list.js';

/** The keys of a partner, or of all, for operators. @param begin creates the first one */
export function AllKeys({ partnerRef, begin }: { partnerRef: string | undefined; begin: ReactNode }) {
  const [q, setQ] = useState('');
  const query = useInfiniteQuery(keysQuery(partnerRef, q));
  const searched = partnerRef === undefined ? 'of a name or a partner' : 'of a name';
  return (
    <>
      <ListSearch label={`Search by the beginning ${searched}`} onSearch={setQ} />
      <KeyList
        query={query}
        ring={ALL_KEYS}
        isOperator
        showsPartner={partnerRef === undefined}
        empty={
          q === '' ? (
            <Empty title="No keys yet" action={begin}>
              A partner exists as soon as a key names it.
            </Empty>
          ) : (
            <Empty title="No key found">No name of a key or partner begins with “{q}”.</Empty>
          )
        }
      />
    </>
  );
}
