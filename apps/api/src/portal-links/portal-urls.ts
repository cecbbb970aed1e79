/** Makes links into the portal. A code stands after `#`, so that browsers send it to no server. */
export class PortalUrls {
  /** @param publicUrl the https origin of the portal; null: the links begin with their path */
  constructor(private readonly publicUrl: string | null) {}

  entrance(code: string): string {
    const origin = this.publicUrl === null ? '' : new URL(this.publicUrl).origin;
    return `${origin}/portal/enter#code=${code}`;
  }
}
