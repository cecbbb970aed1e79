import { Integer, Text, Time } from '../http/fields.js';

export class RetentionPreviewResponse {
  @Text() name!: string;

  @Time({
    nullable: true,
    description: 'Mail saved before this time would be removed; null when no mail would be removed',
  })
  saved_before!: string | null;

  @Integer() messages!: number;
  @Integer() bytes!: number;
}
