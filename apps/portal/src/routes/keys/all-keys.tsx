import { useInfiniteQuery } from '@tanstack/react-query';
import { ALL_KEYS, keysQuery } from '../../api/api-keys.js';
import { Empty } from '../../parts/states.js';
import { KeyList } from './key-list.js';

/** The keys of a partner, or of all, for operators. */
export function AllKeys({ partnerRef }: { partnerRef: string | undefined }) {
  const query = useInfiniteQuery(keysQuery(partnerRef));
  return (
    <KeyList
      query={query}
      ring={ALL_KEYS}
      isOperator
      showsPartner={partnerRef === undefined}
      empty={<Empty title="No keys yet">A partner exists as soon as a key names it.</Empty>}
    />
  );
}
