"""The cache: whole entries or none, bounded, shared."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cardwright.workspace.reading.cache import ContentCache, key_of


def test_an_entry_comes_back_and_a_damaged_one_does_not(tmp_path: Path) -> None:
    cache = ContentCache(tmp_path / "cache")
    assert cache.get("k") is None
    cache.put("k", b"value")
    assert cache.get("k") == b"value"
    (tmp_path / "cache" / "k").write_bytes(b"torn")
    assert cache.get("k") is None
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = ContentCache(tmp_path, most_entries=2)
    for age, key in enumerate(["a", "b"]):
        cache.put(key, b"x")
        os.utime(tmp_path / key, (age, age))
    assert cache.get("a") == b"x"
    cache.put("c", b"x")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a", "c"]
    small = ContentCache(tmp_path, most_bytes=200)
    small.put("d", b"y" * 90)
    assert small.get("d") is not None
    assert sum(item.stat().st_size for item in tmp_path.iterdir()) <= 200
    small.put("e", b"z" * 150)
    assert small.get("e") is None


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    old, new = tmp_path / "1.tmp", tmp_path / "2.tmp"
    old.touch()
    new.touch()
    os.utime(old, (1, 1))
    ContentCache(tmp_path).put("k", b"x")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["2.tmp", "k"]


def test_a_folder_that_cannot_be_used_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = ContentCache(tmp_path / "file" / "cache")
    cache.put("k", b"x")
    assert cache.get("k") is None


def test_keys_differ_by_content_kind_and_options() -> None:
    keys = {key_of(kind, sha, option) for kind in "ab" for sha in "cd" for option in (1, "1")}
    assert len(keys) == 8


def test_many_at_once_see_whole_values_only(tmp_path: Path) -> None:
    values = {str(number): bytes([number]) * 5000 for number in range(6)}

    def work(seed: int) -> bool:
        cache = ContentCache(tmp_path, most_entries=4)
        fine = True
        for step in range(40):
            key = str((seed + step) % 6)
            cache.put(key, values[key])
            fine = fine and cache.get(key) in {None, values[key]}
        return fine

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert not list(tmp_path.glob("*.tmp"))
