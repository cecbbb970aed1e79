import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import type { AuditSearch } from './audit-search.js';

const TYPING_MS = 300;
const route = getRouteApi('/in/operator/audit');

const TEXTS = [
  { field: 'action', label: 'Action', placeholder: 'domain.create' },
  { field: 'actor', label: 'Who', placeholder: 'key:1' },
  { field: 'partner_ref', label: 'Partner', placeholder: '' },
  { field: 'subject', label: 'Domain, address or key', placeholder: 'example.com' },
  { field: 'since', label: 'Since (UTC)', placeholder: '2026-03-01' },
  { field: 'until', label: 'Until (UTC)', placeholder: '2026-03-02' },
] as const;

const ORDERS = [
  { value: 'desc', label: 'Newest first' },
  { value: 'asc', label: 'Oldest first' },
];

/**
 * The filters stand in the address, so that a narrowed log can be sent. What the API refuses is said beside the field.
 */
export function AuditNarrowing({ messages }: { messages: Record<string, string> }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const narrow = (change: AuditSearch) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true });
  return (
    <div className="portal-fields">
      {TEXTS.map(({ field, label, placeholder }) => (
        <Typed
          key={field}
          label={label}
          placeholder={placeholder}
          text={search[field] ?? ''}
          message={messages[field]}
          onTyped={(text) => narrow({ [field]: text || undefined })}
        />
      ))}
      <Select
        label="Order"
        data={ORDERS}
        allowDeselect={false}
        value={search.order === 'asc' ? 'asc' : 'desc'}
        onChange={(order) => narrow({ order: order === 'asc' ? 'asc' : undefined })}
      />
    </div>
  );
}

interface TypedFilter {
  label: string;
  placeholder: string;
  text: string;
  message: string | undefined;
  onTyped: (text: string) => void;
}

function Typed({ label, placeholder, text, message, onTyped }: TypedFilter) {
  const typed = useDebouncedCallback((value: string) => onTyped(value.trim()), TYPING_MS);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      defaultValue={text}
      error={message}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => typed(event.currentTarget.value)}
    />
  );
}
