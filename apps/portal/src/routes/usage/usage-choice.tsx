import { Button, Group, Select, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { monthsToChoose } from './usage-months.js';
import type { UsageSearch } from './usage-search.js';

const route = getRouteApi('/in/usage');

/**
 * The month and, for operators, the partner. They stand in the address, so that it can be sent.
 *
 * @param partner null when there is nothing to choose
 */
export function UsageChoice({ month, partner }: { month: string; partner: string | null }) {
  const navigate = route.useNavigate();
  const choose = (change: UsageSearch) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('partner');
    choose({ partner: (typeof typed === 'string' && typed.trim()) || undefined });
  };
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Month"
        data={monthsToChoose(new Date(), month)}
        value={month}
        onChange={(value) => choose({ month: value ?? undefined })}
        allowDeselect={false}
        flex="0 1 220px"
      />
      {partner !== null && (
        <form className="portal-usage-partner" onSubmit={submit}>
          <TextInput
            label="Partner"
            name="partner"
            placeholder="All partners"
            defaultValue={partner}
            spellCheck={false}
            autoComplete="off"
            flex={1}
          />
          <Button type="submit" variant="default">
            Show
          </Button>
        </form>
      )}
    </Group>
  );
}
