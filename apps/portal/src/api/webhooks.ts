import { queryOptions } from '@tanstack/react-query';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import type { Bodies, NewWebhook, Redelivery, Webhook, WebhookAttempt, WebhookProbe } from './shapes.js';

/** The answer to a challenge makes no event. */
const POLL_UNCONFIRMED_MS = 2_000;
/** An attempt makes no event. */
const POLL_ATTEMPTS_MS = 5_000;

const at = (id: number) => ({ params: { path: { endpoint_id: String(id) } } });

export function webhookQuery(id: number) {
  return queryOptions({
    queryKey: keys.webhook(id),
    queryFn: async () => (await api.GET('/webhook-endpoints/{endpoint_id}', at(id))).data as Webhook,
    refetchInterval: ({ state }) => pollOf(state.data === undefined ? [] : [state.data]),
  });
}

/** The latest attempts, newest first. */
export function attemptsQuery(id: number) {
  return queryOptions({
    queryKey: keys.webhookAttempts(id),
    queryFn: async () => (await api.GET('/webhook-endpoints/{endpoint_id}/attempts', at(id))).data as WebhookAttempt[],
    refetchInterval: POLL_ATTEMPTS_MS,
  });
}

/** When endpoints are read again without an event: false is never. */
export function pollOf(endpoints: readonly Webhook[]): number | false {
  return endpoints.some(({ status }) => status === 'unconfirmed') ? POLL_UNCONFIRMED_MS : false;
}

/** Its result has the secret, which the service shows this once. */
export const createWebhook = change({
  run: async (body: Bodies['CreateWebhookBody']) => (await api.POST('/webhook-endpoints', { body })).data as NewWebhook,
  touches: [keys.webhooks],
});

export const changeWebhook = (id: number) =>
  change({
    run: async (body: Bodies['UpdateWebhookBody']) =>
      (await api.PUT('/webhook-endpoints/{endpoint_id}', { ...at(id), body })).data as Webhook,
    touches: [keys.webhooks],
  });

/** Its input is how many hours the former secret signs too, its result has the new one. */
export const rotateWebhook = (id: number) =>
  change({
    run: async (hours: number) =>
      (await api.POST('/webhook-endpoints/{endpoint_id}/rotate', { ...at(id), body: { overlap_hours: hours } }))
        .data as NewWebhook,
    touches: [keys.webhooks],
  });

/** Its result is the endpoint after the attempt. */
export const confirmWebhook = (id: number) =>
  change({
    run: async () => (await api.POST('/webhook-endpoints/{endpoint_id}/confirm', at(id))).data as Webhook,
    touches: [keys.webhooks],
  });

export const testWebhook = (id: number) =>
  change({
    run: async () => (await api.POST('/webhook-endpoints/{endpoint_id}/test', at(id))).data as WebhookProbe,
    touches: [keys.webhookAttempts(id)],
  });

export const redeliverWebhook = (id: number) =>
  change({
    run: async (body: Bodies['RedeliverBody']) =>
      (await api.POST('/webhook-endpoints/{endpoint_id}/redeliver', { ...at(id), body })).data as Redelivery,
    touches: [keys.webhookAttempts(id)],
  });

export const deleteWebhook = (id: number) =>
  change({
    run: async () => {
      await api.DELETE('/webhook-endpoints/{endpoint_id}', at(id));
    },
    touches: [keys.webhooks],
    removes: [keys.webhook(id), keys.webhookAttempts(id)],
  });
