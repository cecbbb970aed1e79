import { Alert, Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../../api/change.js';
import { type AddedPartner, addPartner, PartnerExists } from '../../../api/partners.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { showProblem } from '../../../parts/form-problems.js';
import { LinkButton, TextLink } from '../../../parts/links.js';
import { Card, Page, Section } from '../../../parts/page.js';
import { hasPage } from '../../../parts/partner-link.js';
import { ShownOnce } from '../../../parts/shown-once.js';
import { Empty } from '../../../parts/states.js';
import { useView } from '../../frame/view.js';
import { type LimitValues, limitsOf } from '../../keys/limit-fields.js';
import { newToken } from '../../keys/new-token.js';

interface Values extends LimitValues, Record<string, unknown> {
  partner_ref: string;
  name: string;
  isUnlimited: boolean;
}

/** The API takes a partner without a limit of domains as an unlimited one, so the limit begins empty. */
const NEW: Values = {
  partner_ref: '',
  name: '',
  domains_allowed: '',
  isUnlimited: false,
  mailboxes_per_domain: 10,
  aliases_per_mailbox: 5,
};

/** Adds a partner with its first key, and says what is next. */
export function AddPartnerPage() {
  const { may } = useView();
  return (
    <Page title="Add partner">
      <TextLink to="/operator/partners" size="sm">
        All partners
      </TextLink>
      {may('postApiKeys') ? (
        <Adding />
      ) : (
        <Empty title="Nothing to add here">Whoever creates keys for partners adds them.</Empty>
      )}
    </Page>
  );
}

function Adding() {
  const form = useForm<Values>({ initialValues: NEW });
  const add = useChange(addPartner, {
    onRefused: (error) => {
      if (!(error instanceof PartnerExists)) return showProblem(form, error, 'partner_ref');
      form.setErrors({ partner_ref: error.message });
      form.getInputNode('partner_ref')?.focus();
    },
  });
  if (add.data !== undefined) {
    const again = () => {
      form.reset();
      add.reset();
    };
    return <Added added={add.data} onAgain={again} />;
  }
  const { isUnlimited } = form.values;
  const submit = form.onSubmit(({ partner_ref, name, isUnlimited: unlimited, ...limits }) => {
    if (!unlimited && !(Number(limits.domains_allowed) > 0)) {
      form.setErrors({ domains_allowed: 'Type how many domains the partner may have, or choose unlimited.' });
      form.getInputNode('domains_allowed')?.focus();
      return;
    }
    const domains_allowed = unlimited ? 0 : limits.domains_allowed;
    const key = { ...limitsOf({ ...limits, domains_allowed }), partner_ref: partner_ref.trim(), token: newToken() };
    add.mutate({ key, name: name.trim() || null });
  });
  return (
    <Card>
      <form onSubmit={submit} className="portal-card-body">
        <Stack maw={560}>
          <TextInput
            data-autofocus
            label="Reference"
            description="What programs call the partner, for good: letters, digits and . _ : @ -"
            spellCheck={false}
            autoComplete="off"
            {...form.getInputProps('partner_ref')}
          />
          <TextInput
            label="Name (optional)"
            description="What people call it"
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <NumberInput
            label="Domains"
            description="How many domains the partner may have"
            allowNegative={false}
            allowDecimal={false}
            disabled={isUnlimited}
            {...form.getInputProps('domains_allowed')}
          />
          <Checkbox label="Unlimited domains" {...form.getInputProps('isUnlimited', { type: 'checkbox' })} />
          <NumberInput
            label="Mailboxes of each domain"
            description="0 is unlimited, here and below"
            min={0}
            allowDecimal={false}
            {...form.getInputProps('mailboxes_per_domain')}
          />
          <NumberInput
            label="Aliases to each mailbox"
            min={0}
            allowDecimal={false}
            {...form.getInputProps('aliases_per_mailbox')}
          />
          <Text size="sm" c="dimmed">
            The partner begins with its first key, which has these limits. The next page shows its token, this once.
          </Text>
          <Group>
            <Button type="submit" loading={add.isPending}>
              Add partner
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function Added({ added: { key, nameProblem }, onAgain }: { added: AddedPartner; onAgain: () => void }) {
  const { partner_ref: partner, token } = key;
  const door = new URL('/portal/', window.location.origin).href;
  return (
    <Stack maw={640}>
      <ShownOnce title={`The first key of ${partner}`} secret={token}>
        Give it to the partner: people enter with it, and programs send it. Copy it now: it is shown this once.
      </ShownOnce>
      {nameProblem !== null && (
        <Alert variant="default" title="The partner is added without its name">
          {nameProblem} Set the name on the page of the partner.
        </Alert>
      )}
      <Section title="What is next">
        <Text size="sm">The partner enters here with its key, and adds its domains and mailboxes:</Text>
        <Group gap="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {door}
          </Text>
          <CopyButton value={door} label="Copy the address" />
        </Group>
        <Group>
          {hasPage(partner) && (
            <LinkButton to="/operator/partners/$partner" params={{ partner }}>
              {`Open ${partner}`}
            </LinkButton>
          )}
          <LinkButton to="/domains/add" variant="default">
            Add domains for it
          </LinkButton>
          <Button variant="default" onClick={onAgain}>
            Add another partner
          </Button>
        </Group>
      </Section>
    </Stack>
  );
}
