import type { datacenters as english } from '#lib/words/en/datacenters'
import type { TranslationOf } from '#lib/words/translation'

export const datacenters: TranslationOf<typeof english> = {
  title: 'Centros de datos',
  about: 'Los lugares donde están sus racks, dispositivos y redes NAT.',
  withId: 'Centro de datos {id}',
  rows: {
    edit: 'Editar {name}',
    remove: 'Eliminar {name}',
  },
  list: {
    title: 'Todos los centros de datos',
    find: 'Buscar centros de datos por nombre',
    empty: 'Todavía no hay centros de datos',
    emptyCreate: 'Un centro de datos contiene dispositivos y sus redes NAT. Cree el primero.',
    emptyAsk: 'Su ámbito no incluye ningún centro de datos. Pida a un administrador que añada uno.',
  },
  nat: {
    networksOf: 'Redes NAT de {name}',
    ipsOf: 'IP NAT de {name}',
    rulesOf: 'Reglas NAT de {name}',
  },
  page: {
    nat: 'NAT',
    events: 'Eventos de este centro de datos',
    holds: 'Lo que contiene {name}',
  },
  racks: {
    find: 'Buscar racks por nombre',
    empty: 'No hay racks',
    emptyHint: 'Este centro de datos no tiene racks.',
  },
  services: {
    find: 'Buscar servicios por tipo',
    address: 'Dirección',
    status: 'Estado',
    running: 'En marcha',
    stopped: 'Detenido',
    empty: 'No hay servicios remotos',
    emptyHint: 'Ningún servicio trabaja para este centro de datos.',
  },
  devices: {
    find: 'Buscar dispositivos por nombre',
    create: 'Crear dispositivo',
    empty: 'No hay dispositivos',
    emptyHint: 'Las redes NAT necesitan un dispositivo que admita NAT.',
  },
  form: {
    createTitle: 'Crear centro de datos',
    editTitle: 'Editar centro de datos',
    locationRule: 'Dónde está, por ejemplo Madrid.',
    saved: 'El centro de datos {name} se ha guardado.',
  },
  remove: {
    title: '¿Eliminar el centro de datos {name}?',
    about: 'También se eliminan sus racks y servicios remotos. Esta acción no se puede deshacer.',
    done: 'El centro de datos {name} se ha eliminado.',
    inUse: 'Elimine antes sus redes NAT, dispositivos, centros de datos virtuales y plantillas.',
  },
  deviceForm: {
    createTitle: 'Crear dispositivo',
    editTitle: 'Editar dispositivo',
    nameRule: 'Único en este centro de datos.',
    typeChoose: 'Elija un tipo',
    typeMissing: 'Elija un tipo.',
    nat: 'admite NAT',
    noNat: 'sin NAT',
    natNeeded: 'No puede hacer NAT, que una red NAT necesita.',
    purpose: 'Qué hace el dispositivo',
    purposes: {
      carry: 'Aplicar NAT en una máquina Linux',
      carryAbout: 'Una pasarela en la máquina traduce las direcciones e informa de lo que ha hecho.',
      list: 'Solo llevar una lista',
      listAbout: 'La consola guarda redes y reglas. Usted configura el dispositivo.',
    },
    endpointRule: 'Dónde se administra el dispositivo, por ejemplo https://10.0.0.1/api.',
    passwordKept: 'No se vuelve a mostrar. Déjela vacía para conservar la actual.',
    passwordNew: 'Se guarda cifrada y no se vuelve a mostrar.',
    forget: 'Quitar la contraseña actual',
    saved: 'El dispositivo {name} se ha guardado.',
  },
  deviceRemove: {
    title: '¿Eliminar el dispositivo {name}?',
    about: 'Se pierde lo que la consola sabe del dispositivo. Esta acción no se puede deshacer.',
    done: 'El dispositivo {name} se ha eliminado.',
    inUse: 'Elimine antes sus redes NAT y sus centros de datos virtuales.',
  },
}
