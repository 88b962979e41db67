import type { publish as english } from '#lib/words/en/publish'
import type { TranslationOf } from '#lib/words/translation'

export const publish: TranslationOf<typeof english> = {
  button: 'Publicar un puerto',
  title: 'Publicar un puerto',
  about: 'Hace que un puerto de una máquina virtual sea accesible en una dirección pública.',
  privateIp: 'IP privada de la máquina',
  choosePrivateIp: 'Elija una IP privada',
  port: 'Puerto de la máquina',
  portHint: 'De 1 a 65535, por ejemplo 443.',
  publicPort: 'Puerto público',
  publicPortHint: 'Déjelo vacío para el mismo puerto.',
  submit: 'Publicar',
  busy: 'Publicando',
  machineMissing: 'Elija una máquina virtual.',
  noPrivateIp: 'Esta máquina no tiene IP privada.',
  privateIpMissing: 'Elija una IP privada.',
  portWrong: 'Introduzca un número de 1 a 65535.',
  noneFree:
    'Ninguna dirección tiene libre este puerto, y no se puede asignar ninguna IP NAT del centro de datos. Elija otro puerto público o pida a un administrador que añada IP NAT.',
  held: '{center} ya tiene {ip}. Su puerto está libre.',
  free: '{ip} está libre. Se asignará a {center}.',
  left: '{ip} se ha asignado, pero la regla se ha rechazado',
  leftAbout: 'Corrija los campos y publique otra vez: se usa la misma dirección. O devuelva la dirección.',
  release: 'Liberar {ip}',
  released: '{ip} se ha liberado.',
  done: 'Se llega a {machine} en {ip}',
  doneTitle: '{machine} está publicada',
  copy: 'Copiar {place}',
  attached: '{ip} se asignó para esto. Deshacer elimina la regla y libera la dirección.',
  undone: '{place} ya no está publicado.',
}
