import { Text } from '../http/fields.js';

export class WebhookResponse {
  @Text({ description: 'stored, confirmed or ignored', example: 'stored' }) status!: string;
}
