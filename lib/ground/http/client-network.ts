import { z } from 'zod'
import type { ErrorCode } from '#lib/ground/http/errors'
import { formatAddress, formatCidr, parseCidr } from '#lib/ground/net/addresses'

/** RFC 4291 §2.5.5.2: ::ffff:0:0/96 maps IPv4 addresses into IPv6. Such a client is known by its IPv4 address. */
const MAPPED = 0xffffn

/** A network of clients. Returns the canonical text. A faulty one is refused with this code. */
export const clientNetwork = (code: ErrorCode) =>
  z.string().transform((value, context) => {
    const cidr = parseCidr(value.trim())
    if (cidr?.hostBitsZero) {
      const mapped = cidr.version === 6 && cidr.prefix >= 96 && cidr.first >> 32n === MAPPED
      return mapped ? `${formatAddress(4, cidr.first & 0xffff_ffffn)}/${cidr.prefix - 96}` : formatCidr(cidr)
    }
    const message = cidr
      ? `the host part of ${value.slice(0, 64)} is not zero: did you mean ${formatCidr(cidr)}?`
      : `${value.slice(0, 64)} is not a network such as 192.0.2.0/24 or 2001:db8::/32`
    context.addIssue({ code: 'custom', params: { code, message }, message, input: value })
    return z.NEVER
  })
