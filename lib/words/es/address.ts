import type { address as english } from '#lib/words/en/address'
import type { TranslationOf } from '#lib/words/translation'

export const address: TranslationOf<typeof english> = {
  about: 'Quién tiene esta dirección y quién la tuvo, en todos los centros de datos visibles para usted.',
  noAddress: '«{typed}» no es una dirección IPv4 ni IPv6.',
  whole: 'Todo sobre esta dirección, y quién la tenía y cuándo',
  asked: '¿Quién tenía {ip}?',
  ask: 'Quién la tenía',
  on: 'El {moment}:',
  nobody: 'Ningún centro de datos virtual visible para usted tenía {ip} en ese momento.',
  now: 'Ahora',
  nowIn: 'Ahora, en {datacenter}',
  absent:
    '{ip} no es una IP NAT de ningún centro de datos visible para usted. Abajo están sus titulares anteriores.',
  absentForYou: 'Ningún centro de datos virtual visible para usted tiene {ip} ahora.',
  holder: 'La tiene',
  free: 'Nadie',
  unseen: 'Otros, o nadie',
  place: 'Su lugar',
  neighbours: 'Sus vecinas',
  packet: 'Qué pasa con un paquete',
  findings: 'Lo que encuentra la comprobación',
  sound: 'No hay nada mal en esta dirección.',
  holders: 'Titulares, primero los más recientes',
}
