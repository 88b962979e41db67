import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { env } from '#lib/ground/env.server'
import { ApiError, fault } from '#lib/ground/http/errors'

/*
 * The addresses to which a webhook may connect: public ones, by https. Otherwise anyone who may create a webhook could reach a receiver
 * inside the network of this installation. WEBHOOK_ALLOW names hosts for which any address and http are allowed.
 */

const literal = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** RFC 4291 §2.4, IANA: all other IPv6 addresses are special or not yet given out. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * True for an address of the public internet. Special ranges are not, nor are forms that carry an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo): these reach another address.
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(globalUnicast)
  return isGlobal && address.range() === 'unicast'
}

/** RFC 6761 §6.3: these names are loopback. */
const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname)

/** True if WEBHOOK_ALLOW has the host, with its port or without. */
export function isAllowed({ hostname, host, protocol, port }: URL): boolean {
  const usual = protocol === 'https:' ? '443' : '80'
  const names = [hostname, literal(hostname), host, `${hostname}:${port || usual}`]
  return env().WEBHOOK_ALLOW.some((allowed) => names.includes(allowed))
}

/** Throws WEBHOOK-2 for http, and for a host that is not public. A name is resolved at each connection. */
export function requireDestination(address: string): void {
  const url = new URL(address)
  if (isAllowed(url) && /^https?:$/.test(url.protocol)) return
  const { hostname } = url
  if (url.protocol !== 'https:')
    throw new ApiError(fault('WEBHOOK-2', 'The address must begin with https://'))
  const isAddress = ipaddr.isValid(literal(hostname))
  if (isLocalName(hostname) || (isAddress && !isPublic(literal(hostname))))
    throw new ApiError(fault('WEBHOOK-2', `${hostname} is not a public address`))
}

type Resolve = typeof resolve

/**
 * Resolves a name for one connection, which then uses exactly these addresses. A name that resolves to a public address first and to a
 * private one later (DNS rebinding) is refused at the connection.
 */
export const publicLookup =
  (resolveBy: Resolve = resolve): LookupFunction =>
  (hostname, options, done) => {
    resolveBy(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => !isPublic(address))
      if (error) done(error, [])
      else if (refused) done(new Error(`${hostname} resolves to ${refused.address}, which is not public`), [])
      else if (options.all) done(null, addresses)
      else done(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
