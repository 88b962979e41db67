# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
name: machines
short_description: The virtual machines of a scope or with tags
version_added: 1.0.0
description:
  - Lists the virtual machines that the token sees, in a file whose name ends in C(console.yml) or C(console.yaml).
  - A machine is named as in the console. Machines with the same name have their id behind it, and so has a name that ends like one with an id.
  - A name that means something to Ansible, SSH or a path, such as C(localhost), C(-o) or C(../all), becomes C(machine) with the id.
  - C(ansible_host) and C(ansible_port) are those of a rule for port 22, else the first private IP. A machine without an address cannot be reached.
author: Cloud Console (@cloud-console)
options:
  plugin:
    description: The name of this plugin.
    type: str
    required: true
    choices: [cloud.console.machines]
  scope:
    description: The name of a scope. Only machines of its enterprises in its datacenters are listed.
    type: str
  tags:
    description: Only machines with all of these tags are listed.
    type: list
    elements: str
    default: []
extends_documentation_fragment:
  - cloud.console.connection.plugin
  - constructed
'''

EXAMPLES = r'''
# web.console.yml, with API_URL and API_TOKEN in the environment
plugin: cloud.console.machines
scope: Iberia
tags: [web]
keyed_groups:
  - key: cloud_tags
    prefix: tag
  - key: cloud_datacenter
    prefix: datacenter
'''

import ipaddress
import re
from collections import Counter

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable
from ansible.utils.unsafe_proxy import wrap_var
from ansible_collections.cloud.console.plugins.module_utils.console import CONNECTION, Console, ConsoleError

SSH = 22

# Letters and digits, with spaces, dots, lines and signs of addresses between them: no template, option, path or pattern.
PLAIN = re.compile(r'\w(?:[\w .@+()-]*[\w)])?\Z')
# Plays and delegated tasks for these run on the control node.
OWN = ('localhost', '127.0.0.1', '::1')
# RFC 6761 6.4: no name below it exists. Without an address Ansible would connect to what the name of the machine says.
NOWHERE = 'without-address.invalid'


class InventoryModule(BaseInventoryPlugin, Constructable):
    NAME = 'cloud.console.machines'

    def verify_file(self, path):
        return super(InventoryModule, self).verify_file(path) and path.endswith(('console.yml', 'console.yaml'))

    def parse(self, inventory, loader, path, cache=True):
        super(InventoryModule, self).parse(inventory, loader, path, cache)
        self._read_config_data(path)
        try:
            console = Console.of(dict((name, self.get_option(name)) for name in CONNECTION))
            query = dict(tag=self.get_option('tags')) if self.get_option('tags') else {}
            found = list(console.everything('/cloud/virtualmachines', **query))
            scope = self.get_option('scope')
            machines = within(found, scope_of(console, scope)) if scope else found
        except ConsoleError as error:
            raise AnsibleParserError(str(error))
        for machine, host in named(machines):
            self.inventory.add_host(host)
            variables = variables_of(machine)
            for name, value in variables.items():
                self.inventory.set_variable(host, name, value)
            strict = self.get_option('strict')
            self._set_composite_vars(self.get_option('compose'), variables, host, strict)
            self._add_host_to_composed_groups(self.get_option('groups'), variables, host, strict)
            self._add_host_to_keyed_groups(self.get_option('keyed_groups'), variables, host, strict)


def scope_of(console, name):
    for scope in console.everything('/admin/scopes', has=name):
        if scope['name'] == name:
            return scope
    raise ConsoleError('There is no scope %s' % name)


def title_of(machine, rel):
    for link in machine['links']:
        if link['rel'] == rel:
            return link.get('title', '')
    return ''


def id_of(machine, rel):
    for link in machine['links']:
        if link['rel'] == rel:
            return int(link['href'].rsplit('/', 1)[1])
    return None


def within(machines, scope):
    """The machines whose enterprise and datacenter the scope has."""
    def has(kind, every, identity):
        ids = set(each['idResource'] for each in scope['scopeEntities'] if each['type'] == kind)
        return scope[every] or identity in ids

    return [
        machine for machine in machines
        if has('ENTERPRISE', 'automaticAddEnterprise', id_of(machine, 'enterprise'))
        and has('DATACENTER', 'automaticAddDatacenter', id_of(machine, 'location'))
    ]


def named(machines):
    """The machines with their host names. Names are what users wrote: none may act, or take the place of another host."""
    names = Counter(machine['name'] for machine in machines)
    for machine in machines:
        name = machine['name']
        is_plain = PLAIN.match(name) and name.lower() not in OWN
        if not is_plain or names[name] > 1 or re.search(r'\.\d+\Z', name):
            name = '%s.%d' % (name if is_plain else 'machine', machine['id'])
        yield machine, name


def variables_of(machine):
    private = [link.get('title', '') for link in machine['links'] if link['rel'].startswith('nic') and link['rel'][3:].isdigit()]
    address, port = way_in(machine, private)
    variables = dict(
        cloud_id=machine['id'],
        cloud_name=machine['name'],
        cloud_label=machine.get('label', ''),
        cloud_state=machine['state'],
        cloud_tags=machine['tags'],
        cloud_description=machine['description'],
        cloud_enterprise=title_of(machine, 'enterprise'),
        cloud_datacenter=title_of(machine, 'location'),
        cloud_virtual_datacenter=title_of(machine, 'virtualdatacenter'),
        cloud_virtual_appliance=title_of(machine, 'virtualappliance'),
        cloud_private_ips=private,
    )
    variables['ansible_host'] = address if is_address(address) else NOWHERE
    if port:
        variables['ansible_port'] = port
    return dict((name, wrap_var(value)) for name, value in variables.items())


def is_address(text):
    try:
        return bool(ipaddress.ip_address(text))
    except ValueError:
        return False


def way_in(machine, private):
    """Address and port by which SSH reaches the machine from outside, else its first private IP."""
    for rule in machine['natrules']:
        if rule['snat'] or not rule['enabled']:
            continue
        is_all = 'originalPort' not in rule
        if is_all or (rule.get('translatedPort') == SSH and rule.get('protocol') == 'TCP' and 'originalPortEnd' not in rule):
            return title_of(rule, 'original'), None if is_all else rule['originalPort']
    return (private[0] if private else None), None
