import { useState } from 'react';
import { MOST_DOMAINS } from '../../../api/many-domains.js';
import type { Domain } from '../../../api/shapes.js';

export interface Chosen {
  domains: ReadonlyMap<string, Domain>;
  /** Chooses these too, as far as there may be so many. */
  add: (domains: readonly Domain[]) => void;
  remove: (domains: readonly Domain[]) => void;
}

const NONE: ReadonlyMap<string, Domain> = new Map();

/** The chosen domains of a list. When it is narrowed otherwise they are forgotten, because they may not be seen. */
export function useChosen(list: string): Chosen {
  const [chosen, setChosen] = useState({ list, domains: NONE });
  const domains = chosen.list === list ? chosen.domains : NONE;
  const set = (entries: Iterable<[string, Domain]>) => setChosen({ list, domains: new Map(entries) });
  return {
    domains,
    add: (added) =>
      set([...new Map([...domains, ...added.map((domain) => [domain.name, domain] as const)])].slice(0, MOST_DOMAINS)),
    remove: (removed) => {
      const names = new Set(removed.map(({ name }) => name));
      set([...domains].filter(([name]) => !names.has(name)));
    },
  };
}
