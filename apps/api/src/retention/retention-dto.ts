import { Integer, Text, Time } from '../http/fields.js';

export class RetentionPreviewResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;

  @Time({
    nullable: true,
    description: 'Mail saved before this time would be removed; null when no mail would be removed',
  })
  saved_before!: string | null;

  @Integer({ description: 'Number of messages that would be removed', example: 12 }) messages!: number;
  @Integer({ description: 'Bytes of these messages', example: 734003 }) bytes!: number;
}
