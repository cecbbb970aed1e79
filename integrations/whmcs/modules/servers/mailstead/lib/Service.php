<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/**
 * A service in WHMCS: what a customer bought, with the name of its domain.
 *
 * A domain belongs to a service when its id is stored in the service's property, or when its external reference names the
 * service. The id decides because the customer can change the reference in the portal; the reference serves a domain whose
 * id was never stored: after a lost response, or when staff hand an existing domain to the service.
 */
final class Service
{
    /** WHMCS keeps a service property in a custom field of the product, for staff only. */
    private const PROPERTY = 'Mailstead Domain Id';

    /**
     * @param string $reference the external reference of the service's domain
     * @param object|null $model WHMCS's model of the service
     */
    private function __construct(
        public readonly string $domain,
        public readonly string $reference,
        public readonly Settings $settings,
        private readonly ?object $model,
    ) {
    }

    /**
     * @param array<string, mixed> $params the parameters of WHMCS
     * @throws Failure when the service has no domain name
     */
    public static function of(array $params): self
    {
        $domain = rtrim(trim((string) ($params['domain'] ?? '')), '.');
        if (preg_match('~^[^\s./\\\\?#%@:]+(\.[^\s./\\\\?#%@:]+)+$~Du', $domain) !== 1) {
            throw new Failure('The service has no valid domain name: set it in the field Domain of the service, as example.org.');
        }
        $id = (int) ($params['serviceid'] ?? 0);
        if ($id <= 0) {
            throw new Failure('WHMCS named no service.');
        }
        $addon = (int) ($params['addonId'] ?? 0);
        $model = $params['model'] ?? null;
        return new self(
            $domain,
            "whmcs-$id" . ($addon > 0 ? "-addon-$addon" : ''),
            Settings::of($params),
            is_object($model) ? $model : null,
        );
    }

    /** @param array<mixed> $domain a domain as the API answers it */
    public function owns(array $domain): bool
    {
        if (!is_int($domain['id'] ?? null)) {
            return false;
        }
        return (string) $domain['id'] === $this->storedId() || ($domain['external_ref'] ?? null) === $this->reference;
    }

    /** @param array<mixed> $domain */
    public function remember(array $domain): void
    {
        $properties = $this->properties();
        if ($properties !== null && (string) $domain['id'] !== $this->storedId()) {
            $properties->save([self::PROPERTY => (string) $domain['id']]);
        }
    }

    private function storedId(): string
    {
        return trim((string) ($this->properties()?->get(self::PROPERTY) ?? ''));
    }

    private function properties(): ?object
    {
        $properties = $this->model->serviceProperties ?? null;
        return is_object($properties) ? $properties : null;
    }
}
