import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { attentionQuery } from '../../api/attention.js';
import { ChipLink } from '../../parts/links.js';
import { formatTotal } from '../../parts/numbers.js';
import { useView } from '../frame/view.js';
import { labelOf } from './domain-filters.js';

const route = getRouteApi('/in/domains');

/** The reasons for which domains need somebody, with how many do, as on Home. Each narrows the list. */
export function AttentionChips() {
  const { partnerRef } = useView();
  const { show } = route.useSearch();
  const { data: needs = [] } = useQuery(attentionQuery(partnerRef));
  const label = labelOf(show);
  // What is chosen stays, also without a domain that is counted.
  const isUncounted = show !== undefined && label !== null && needs.every(({ reason }) => reason !== show);
  return (
    <ul className="portal-chips" aria-label="Domains by reason">
      <Chip label="All" show={undefined} isChosen={label === null} />
      {isUncounted && <Chip label={label} show={show} isChosen />}
      {needs.map((need) => (
        <Chip
          key={need.reason}
          label={labelOf(need.reason) ?? need.reason}
          count={formatTotal(need)}
          show={need.reason}
          isChosen={show === need.reason}
        />
      ))}
    </ul>
  );
}

interface ChipProps {
  label: string;
  count?: string;
  show: string | undefined;
  isChosen: boolean;
}

function Chip({ label, count, show, isChosen }: ChipProps) {
  return (
    <li>
      <ChipLink to="/domains" search={(now) => ({ ...now, show })} replace isChosen={isChosen}>
        {label} {count !== undefined && <span>{count}</span>}
      </ChipLink>
    </li>
  );
}
