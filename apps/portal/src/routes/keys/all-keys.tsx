import { useInfiniteQuery } from '@tanstack/react-query';
import { ALL_KEYS, keysQuery } from '../../api/api-keys.js';
import { Empty } from '../../parts/states.js';
import { useView } from '../frame/view.js';
import { KeyList } from './key-list.js';

/** The keys of a partner, or of all, for operators. */
export function AllKeys({ partnerRef }: { partnerRef: string | undefined }) {
  const query = useInfiniteQuery(keysQuery(partnerRef));
  const { mayChange } = useView();
  return (
    <KeyList
      query={query}
      ring={mayChange ? ALL_KEYS : null}
      isOperator
      showsPartner={partnerRef === undefined}
      empty={<Empty title="No keys yet">A partner exists as soon as a key names it.</Empty>}
    />
  );
}
