import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { SILENT, useChange } from '../../api/change.js';
import { type AddedDomain, addDomains } from '../../api/domains.js';
import { Bar } from '../../parts/bar.js';
import { FactsTable } from '../../parts/facts-table.js';
import { LinkButton, TextLink } from '../../parts/links.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { countOf } from '../../parts/numbers.js';
import { Failing, TooMany } from '../../parts/states.js';
import { StatusMark } from '../../parts/status-mark.js';
import type { Column } from '../../parts/table/column.js';

/** A longer table would make the page slow. What was refused comes first. */
const SHOWN_ROWS = 500;

const COLUMNS: Column<AddedDomain>[] = [
  {
    head: 'Domain',
    cell: ({ name, refusal }) =>
      refusal === null ? (
        <TextLink to="/domains/$domain/dns" params={{ domain: name }}>
          <NameAsRead name={name} />
        </TextLink>
      ) : (
        <NameAsRead name={name} />
      ),
  },
  {
    head: 'Result',
    phone: 'bare',
    cell: ({ refusal }) => <StatusMark mark={refusal === null ? 'good' : 'bad'}>{refusal ?? 'Added'}</StatusMark>,
  },
];

interface Task {
  names: string[];
  partnerRef: string | null;
  onAgain: () => void;
}

/** Adds many domains: how far it is, then a result for each. */
export function AddedDomains({ names, partnerRef, onAgain }: Task) {
  const { results, error } = useAdding(names, partnerRef);
  const isDone = results.length === names.length || error !== null;
  const refused = results.filter(({ refusal }) => refusal !== null);
  const added = results.length - refused.length;
  const rows = [...refused, ...results.filter(({ refusal }) => refusal === null)];
  return (
    <Stack>
      <Bar share={results.length / names.length} label={`${results.length} of ${names.length} done`} />
      <Group justify="space-between">
        <Text role="status">
          {countOf(added, 'domain')} added, {countOf(refused.length, 'name')} refused
          {isDone ? '.' : `, ${names.length - results.length} to go …`}
        </Text>
        {isDone && (
          <Group gap="xs">
            <Button variant="default" onClick={onAgain}>
              Add more
            </Button>
            <LinkButton to="/domains">To the domains</LinkButton>
          </Group>
        )}
      </Group>
      {error !== null && <Failing error={error} />}
      <FactsTable label="Results" rows={rows.slice(0, SHOWN_ROWS)} keyOf={({ name }) => name} columns={COLUMNS} />
      {rows.length > SHOWN_ROWS && <TooMany shown={SHOWN_ROWS} what="results" />}
    </Stack>
  );
}

/**
 * Adds the names once, also when React mounts the component twice. Leaving the screen ends it after the request that
 * runs.
 */
function useAdding(names: string[], partnerRef: string | null) {
  const [results, setResults] = useState<AddedDomain[]>([]);
  const { mutate, error } = useChange(addDomains, SILENT);
  useEffect(() => {
    let isLeft = false;
    const onAdded = (part: AddedDomain[]) => {
      setResults((before) => [...before, ...part]);
      return !isLeft;
    };
    // The second mount of a strict render comes before this.
    void Promise.resolve().then(() => {
      if (!isLeft) mutate({ names, partnerRef, onAdded });
    });
    return () => {
      isLeft = true;
    };
  }, [names, partnerRef, mutate]);
  return { results, error };
}
