<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** Where the API is, and the token for it: the server in WHMCS's settings. */
final class ServerAddress
{
    private const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

    private function __construct(
        public readonly string $host,
        public readonly int $port,
        public readonly bool $isSecure,
        public readonly string $token,
    ) {
    }

    /**
     * @param array<string, mixed> $params the parameters of WHMCS
     * @throws Failure when the server's settings are incomplete or unsafe
     */
    public static function of(array $params): self
    {
        $secure = $params['serversecure'] ?? false;
        $isSecure = $secure === true || in_array((string) $secure, ['on', '1', 'true'], true);
        $host = self::host($params);
        if (!$isSecure && !in_array($host, self::LOOPBACK, true)) {
            throw new Failure(
                'Tick "Secure" in the server\'s settings: without TLS others could read the token. Only a Mailstead on the machine of WHMCS (127.0.0.1, localhost) is used without it.',
            );
        }
        return new self($host, self::port($params, $isSecure), $isSecure, self::token($params));
    }

    /** `https://mail.example`, with the port when it is not the usual one. */
    public function origin(): string
    {
        $isUsual = $this->port === ($this->isSecure ? 443 : 80);
        return ($this->isSecure ? 'https://' : 'http://') . $this->host . ($isUsual ? '' : ":$this->port");
    }

    /** @param array<string, mixed> $params */
    private static function host(array $params): string
    {
        $host = strtolower(trim((string) ($params['serverhostname'] ?? '')));
        $host = $host !== '' ? $host : trim((string) ($params['serverip'] ?? ''));
        if (filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6) !== false) {
            return "[$host]";
        }
        if (preg_match('/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/D', $host) !== 1) {
            throw new Failure('Give the hostname of Mailstead in the server\'s settings, as api.mail.example: no scheme, no path, no port.');
        }
        return $host;
    }

    /** @param array<string, mixed> $params */
    private static function port(array $params, bool $isSecure): int
    {
        $given = trim((string) ($params['serverport'] ?? ''));
        if ($given === '' || $given === '0') {
            return $isSecure ? 443 : 8080;
        }
        if (!ctype_digit($given) || strlen($given) > 5 || (int) $given > 65535) {
            throw new Failure('The port in the server\'s settings is not a number from 1 to 65535.');
        }
        return (int) $given;
    }

    /** @param array<string, mixed> $params */
    private static function token(array $params): string
    {
        $accessHash = trim((string) ($params['serveraccesshash'] ?? ''));
        $token = $accessHash !== '' ? $accessHash : trim((string) ($params['serverpassword'] ?? ''));
        if ($token === '') {
            throw new Failure('Give the token of Mailstead in the field Password of the server: a partner\'s API key, or a billing token.');
        }
        if (preg_match('/^[\x21-\x7e]{1,1024}$/D', $token) !== 1) {
            throw new Failure('The token in the server\'s settings contains a space, a line break or a character that no token has.');
        }
        return $token;
    }
}
