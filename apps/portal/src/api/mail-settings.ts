import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';
import type { MailSettings } from './shapes.js';

/** The servers that a mail program needs. They are settings of the service and do not change while it runs. */
export const mailSettingsQuery = queryOptions({
  queryKey: keys.mailSettings,
  queryFn: async () => (await api.GET('/mail-settings')).data as MailSettings,
  staleTime: Number.POSITIVE_INFINITY,
});
