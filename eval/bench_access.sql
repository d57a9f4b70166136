-- The people of the access benchmark, the same rows in each run.
INSERT INTO roles (name) SELECT 'role-' || n FROM generate_series(1, :roles) n;

INSERT INTO users (username, email, password_hash)
SELECT 'user-' || n, 'user-' || n || '@example.org', 'x' FROM generate_series(1, :users) n;

INSERT INTO user_roles (user_id, role)
SELECT u.id, 'role-' || 1 + (u.id * 7 + n * 131) % :roles FROM users u, generate_series(1, :each) n;

-- One user has many.
INSERT INTO user_roles (user_id, role)
SELECT u.id, r.name FROM users u, (SELECT name FROM roles WHERE name <> 'admin' LIMIT :heavy) r
WHERE u.username = 'user-1' ON CONFLICT DO NOTHING;

-- Keys in use, whose last_used_at is not due, and resting ones, whose is.
INSERT INTO api_keys (user_id, name, key_hash, prefix, kind, last_used_at)
SELECT id, 'bench', sha256(convert_to('dk-' || username, 'UTF8')), 'dk-bench', 'user',
    now() + interval '1 day'
FROM users;

INSERT INTO api_keys (user_id, name, key_hash, prefix, kind)
SELECT id, 'resting', sha256(convert_to('dk-resting-' || username, 'UTF8')), 'dk-resti', 'user'
FROM users;

INSERT INTO api_keys (user_id, name, key_hash, prefix, kind, method, last_used_at)
SELECT id, 'front end', sha256(convert_to('dk-front', 'UTF8')), 'dk-front', 'frontend', 'headers',
    now() + interval '1 day'
FROM users WHERE username = 'user-2';

INSERT INTO group_roles (issuer, group_id, role)
SELECT :issuer, 'group-' || n, 'role-' || n FROM generate_series(1, :roles) n
