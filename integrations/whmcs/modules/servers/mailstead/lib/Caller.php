<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** Whose token it is: a partner's key with the scope `manage`, or an operator's `billing` token. Every other is refused. */
final class Caller
{
    /** @param string|null $partner the partner of the key; null for a billing token */
    private function __construct(public readonly ?string $partner)
    {
    }

    /**
     * @throws Failure for a token that does too much or too little for a shop
     */
    public static function ask(Api $api, ?float $seconds = null): self
    {
        $me = $api->get('/me', $seconds);
        $kind = $me['kind'] ?? null;
        if ($kind === 'master') {
            throw new Failure(
                'This is a master token. It must never be stored in a shop: give the server a partner\'s API key or a billing token, and replace this master token now.',
            );
        }
        if ($kind === 'client') {
            return new self(self::partnerOf($me));
        }
        if ($kind !== 'operator' || ($me['scope'] ?? null) !== 'billing') {
            throw new Failure('This token is neither a partner\'s API key nor a token with the scope billing.');
        }
        return new self(null);
    }

    public function isPartner(): bool
    {
        return $this->partner !== null;
    }

    /** The suspension cause that this token sets and lifts. */
    public function cause(): string
    {
        return $this->isPartner() ? 'partner' : 'billing';
    }

    /** @param array<mixed> $me */
    private static function partnerOf(array $me): string
    {
        if (($me['scope'] ?? null) !== 'manage') {
            throw new Failure('This API key may only read: give the server a key with the scope manage.');
        }
        if (($me['domains'] ?? null) !== null) {
            throw new Failure('This API key is limited to some domains: give the server one for all domains of the partner.');
        }
        if (!is_string($me['partner_ref'] ?? null)) {
            throw new Failure('This API key has no partner: give the server a key of the partner who owns the shop.');
        }
        return $me['partner_ref'];
    }
}
