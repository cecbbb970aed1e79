/** Makes the secrets of endpoints, and seals them with `SECRET_KEY`, because deliveries need them again. */
export abstract class WebhookSecrets {
  /** `whsec_` and 32 random bytes in base64. */
  abstract create(): string;
  /** @param endpointId a sealed secret opens for this endpoint alone */
  abstract seal(secret: string, endpointId: number): string;
  /** @returns null when it was sealed with another key, for another endpoint, or was changed */
  abstract open(sealed: string, endpointId: number): string | null;
}
